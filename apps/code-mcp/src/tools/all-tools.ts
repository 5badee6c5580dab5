import type { ChunkOptions, Code } from '@pith-mcp/code'
import {
  absent,
  type DefineTool,
  defineTool as define,
  numberWithin,
  type Tool,
  type ToolCall,
  type ToolSet,
  toNumber,
} from '@pith-mcp/server-kit/tools'
import { z } from 'zod'
import { renderChunk } from '../render/render-chunk.ts'
import { maxHits, renderFiles, renderFound } from '../render/render-found.ts'
import { renderOutline } from '../render/render-outline.ts'
import { renderReferences } from '../render/render-references.ts'
import type { Locale } from '../render/words.ts'

/** A request, and the language of the first line of a page. */
export interface CodeCall extends ToolCall {
  locale: Locale
}

export type CodeTool = Tool<Code, CodeCall>

export type CodeTools = ToolSet<Code, CodeCall>

/** Infers the type of `answer`'s input from the schema. */
const defineTool: DefineTool<Code, CodeCall> = (definition) => define(definition, inSnakeCase)

/** Other servers call the same parameters `pageToken` and `pageSize`: both are understood. */
function inSnakeCase(value: unknown, { shape }: z.ZodObject): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).flatMap(([key, field]) => {
    const snake = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const isMeant = !Object.hasOwn(shape, key) && Object.hasOwn(shape, snake)
    if (!isMeant) return [[key, field] as const]
    // If both spellings are passed, ours is used.
    return Object.hasOwn(value, snake) ? [] : [[snake, field] as const]
  })
  return Object.fromEntries(entries)
}

/** Models send empty texts for what they leave out. */
const unlessEmpty = (value: unknown): unknown => (value === '' ? undefined : absent(value))

const optionalText = () => z.preprocess(unlessEmpty, z.string().optional())
const optionalNumber = () => z.preprocess(toNumber, z.number().optional())
const resultCount = numberWithin(1, maxHits, 20)

const kinds = ['implementations', 'tests'] as const
/** `calls` is accepted, and answered with all uses. */
const kind = z
  .string()
  .refine((value): value is (typeof kinds)[number] | 'calls' => ['calls', ...kinds].includes(value))
  .meta({ enum: [...kinds] })

const pageToken = optionalText().describe('As in a reply')

/** Which page of a chunk. */
const page = z.object({
  page_token: pageToken,
  page_size: z
    .preprocess(unlessEmpty, z.union([z.number(), z.string()]).optional())
    .describe('Tokens (default 4000, max 20000), or "300 lines", "10 KB"'),
  start_line: optionalNumber().describe('First line in it, from 1'),
})

const optionsOf = (input: z.output<typeof page>): ChunkOptions => ({
  pageToken: input.page_token,
  pageSize: input.page_size,
  startLine: input.start_line,
})

/** In the order of tools/list: first those that find, then those that read. */
export const allTools: readonly CodeTool[] = [
  defineTool({
    name: 'find_function',
    isEntry: true,
    description:
      'Find functions, classes, constants and fields by name or by what they do, and keys or messages by their text; a clear match comes with its code.',
    input: z.object({
      query: z
        .string()
        .describe('Name, Class/method, "class Name", `*part*`, a text or a description'),
      path: optionalText().describe('File, folder or glob'),
      max_results: resultCount,
    }),
    async answer({ query, path, max_results }, code, { signal, onProgress, locale }) {
      const result = await code.findFunctions(query, {
        maxResults: Math.floor(max_results),
        path,
        signal,
        onProgress: onProgress && ((done, total) => onProgress({ done, total })),
      })
      return renderFound(result, query, locale)
    },
  }),
  defineTool({
    name: 'find_references',
    isEntry: true,
    description:
      'Find what uses, extends, implements or tests a function, class, constant or field.',
    input: z.object({
      name: z.string().describe('Name, Class/method or path#name'),
      kind: z.preprocess(unlessEmpty, kind.optional()),
      path: optionalText().describe('File, folder or glob'),
      from: optionalNumber().describe('As in a reply'),
    }),
    async answer({ name, kind, ...place }, code, { signal }) {
      const ofKind = kind === 'calls' ? undefined : kind
      const references = await code.references(name, { ...place, kind: ofKind, signal })
      return renderReferences(references, { name, ...place, kind })
    },
  }),
  defineTool({
    name: 'list_functions_in_file',
    description: 'List what a file defines: name paths, lines, tokens.',
    input: z.object({
      file_path: z.string(),
      query: optionalText().describe('Words of a name, or Class/'),
      page_token: pageToken,
    }),
    async answer({ file_path, query, page_token }, code) {
      return renderOutline(await code.outline(file_path, query), query, page_token)
    },
  }),
  defineTool({
    name: 'get_chunk',
    isEntry: true,
    description:
      'Read a function, class or other symbol, or a file; a long one page by page, cut between statements.',
    input: z.object({
      chunk_id: z.string().describe('path#Class/method, "path#line 120", or a path'),
      ...page.shape,
    }),
    async answer(input, code, { locale }) {
      const chunk = await code.chunk(input.chunk_id, optionsOf(input))
      return renderChunk(chunk, locale, (more) => ({
        tool: 'get_chunk',
        args: { chunk_id: chunk.id, page_size: input.page_size, ...more },
      }))
    },
  }),
  defineTool({
    name: 'find_file',
    description: 'Find files by a glob (src/**/*.ts) or a part of their path.',
    input: z.object({ pattern: z.string() }),
    async answer({ pattern }, code) {
      return renderFiles(await code.findFiles(pattern), pattern)
    },
  }),
]
