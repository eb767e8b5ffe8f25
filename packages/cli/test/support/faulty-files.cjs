// A faulty file layer: loaded before the command (NODE_OPTIONS=--require), it makes the n-th operation on a file fail, or raises a signal there.
//
//   FAULT         operation:n:effect, of write, open, fsync, rename, close or any; an error code (EIO), `short`, or a signal (SIGTERM)
//   FAULT_UNDER   the folders whose files count, as JSON
//   FAULT_REPORT  a file that says at the end how many operations there were
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { dirname, resolve } = require('node:path');
const { isMainThread } = require('node:worker_threads');

const { FAULT, FAULT_UNDER, FAULT_REPORT } = process.env;
if (FAULT !== undefined && isMainThread) {
  const [operation, number, effect] = FAULT.split(':');
  const folders = JSON.parse(FAULT_UNDER);
  const isOurs = (path) => typeof path === 'string' && folders.some((folder) => resolve(path).startsWith(folder));
  const own = { ...fs };
  const written = new Set();
  let count = 0;

  const isHit = (name) => {
    if (operation !== 'any' && operation !== name) return false;
    count++;
    return count === Number(number);
  };
  const strike = () => {
    if (effect.startsWith('SIG')) process.kill(process.pid, effect);
    else throw Object.assign(new Error(`${effect}: made to fail`), { code: effect });
  };

  fs.openSync = (path, flags = 'r', ...more) => {
    const isFolder = isOurs(path) && own.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const counts = isOurs(path) && (flags !== 'r' || isFolder);
    if (counts && isHit('open')) strike();
    const file = own.openSync(path, flags, ...more);
    if (counts) written.add(file);
    return file;
  };
  fs.mkdtempSync = (prefix, ...more) => {
    if (isOurs(dirname(prefix)) && isHit('open')) strike();
    return own.mkdtempSync(prefix, ...more);
  };
  fs.writeSync = (file, bytes, ...more) => {
    if (!written.has(file) || !isHit('write')) return own.writeSync(file, bytes, ...more);
    const [offset = 0, length = bytes.length - offset, position] = more;
    // A disk takes some, and then no more.
    const taken = own.writeSync(file, bytes, offset, Math.ceil(length / 2), position);
    if (effect !== 'short') strike();
    return taken;
  };
  fs.fsyncSync = (file) => {
    if (written.has(file) && isHit('fsync')) strike();
    own.fsyncSync(file);
  };
  fs.renameSync = (from, to) => {
    if (isOurs(from) && isHit('rename')) strike();
    own.renameSync(from, to);
  };
  fs.closeSync = (file) => {
    const counts = written.delete(file);
    own.closeSync(file);
    if (counts && isHit('close')) strike();
  };
  syncBuiltinESMExports();
  process.on('exit', () => own.writeFileSync(FAULT_REPORT, String(count)));
}
