#!/usr/bin/env node
// Node keeps compiled code in its folder for temporary files, from version 22.1 on. NODE_DISABLE_COMPILE_CACHE=1 refuses.
require('node:module').enableCompileCache?.();
require('../dist/main.js');
