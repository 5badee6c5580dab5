import { findFile } from './find-file.ts'
import { findFunction } from './find-function.ts'
import { getChunk } from './get-chunk.ts'
import { getFunctionChunk } from './get-function-chunk.ts'
import { listFunctionsInFile } from './list-functions-in-file.ts'
import type { CodeTool } from './tool.ts'

/** In the order of tools/list: first those that find, then those that read. */
export const allTools: readonly CodeTool[] = [
  findFunction,
  listFunctionsInFile,
  getFunctionChunk,
  getChunk,
  findFile,
]
