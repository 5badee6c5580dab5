import { fileURLToPath } from 'node:url'

/**
 * Absolute path of the folder of static files, without a slash at its end. It holds `index.html`,
 * which answers every path of the console, and `assets/`, whose names change with their contents.
 * Beside each file that gains by it lies one with `.br` and one with `.gz` added to its name.
 */
export const consoleFolder: string = fileURLToPath(new URL('../dist/web', import.meta.url))
