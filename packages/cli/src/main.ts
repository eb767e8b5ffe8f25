// Imported first: the threads start while the rest is loaded.
import './early-parsers.ts';
import './program.ts';
