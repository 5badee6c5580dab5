import { fileURLToPath } from 'node:url'

/**
 * Absolute path of the folder of static files, without a trailing slash. It contains `index.html`,
 * which answers all paths of the console, and `assets/`, whose names change with their content.
 * Next to each compressible file there are compressed copies with `.br` and `.gz` added to the
 * name.
 */
export const consoleFolder: string = fileURLToPath(new URL('../dist/web', import.meta.url))
