// What `import.meta.url` is in the bundled files, which are CommonJS and lack it.
import { pathToFileURL } from 'node:url';

export const moduleUrl = pathToFileURL(__filename).href;
