import { findFile } from './find-file.ts'
import { findFunction } from './find-function.ts'
import { getChunk } from './get-chunk.ts'
import { getFunctionChunk } from './get-function-chunk.ts'
import { listFunctionsInFile } from './list-functions-in-file.ts'
import type { Tool } from './tool.ts'

/** In the order of tools/list: first those that find, then those that read. */
export const allTools = [
  findFunction,
  listFunctionsInFile,
  getFunctionChunk,
  getChunk,
  findFile,
] as unknown as readonly Tool[]
