import { cacheType, defineSettings, httpLines, onOff } from '@pith-mcp/server-kit/settings'
import { z } from 'zod'

const limit = String.raw`[\d_,]*\.?\d+ ?(?:tokens?|lines?|bytes?|b|ki?b|行|バイト)?`
const size = z
  .string()
  .regex(
    new RegExp(String.raw`^\s*${limit}(?:\s*(?:[,、/+]|and )\s*${limit})?\s*$`, 'i'),
    'must be a number of tokens, or written as "300 lines", "10 KB" or "500 lines, 10 KB"',
  )
/** `0` stands for no threshold. */
const threshold = z
  .union([
    z.literal('').transform(() => undefined),
    z.literal('0').transform(() => undefined),
    size,
  ])
  .optional()

/** Size of a page with `--compat paging`, unless a setting or a call says otherwise. */
export const pagingSize = '500 lines, 10 KB'

const number = z.coerce.number()

/** The settings of flags and environment variables. */
// biome-ignore format: a table has one line for each setting.
export const settings = defineSettings({
  pageSize: { type: size.optional(), value: '<size>', unset: '4000 tokens', help: 'size of a page: tokens, "300 lines", "10 KB" or "500 lines, 10 KB"; at most 20000 tokens', manual: 'default page size: tokens, `"300 lines"`, `"10 KB"` or `"500 lines, 10 KB"`; at most 20000 tokens' },
  pageOver: { type: threshold, value: '<limits>', help: 'show functions up to this size in one piece: "500 lines, 10 KB"', manual: 'return functions up to this size whole, such as `"500 lines, 10 KB"`' },
  locale: { type: z.enum(['en', 'ja']).default('en'), value: '<en|ja>', help: '', manual: 'language of the lines around a page' },
  compat: { type: z.enum(['paging']).optional(), value: '<name>', help: 'paging: parameters, fields and sentences of the design of paging', manual: '`paging`: [parameters, fields and sentences](../compat.md#paging) of the design of paging; pages of 500 lines and 10 KB' },
  maxParseMb: { type: number.gt(0).max(32).default(16), value: '<n>', help: 'larger files are read as lines, without functions' },
  parseTimeout: { type: number.gt(0).max(600).default(20), value: '<s>', help: 'for one file', manual: 'processor time to parse one file' },
  searchWait: { type: number.gt(0).max(600).default(20), value: '<s>', help: 'maximum time of a search' },
  cache: { type: cacheType, value: '<folder>', unset: "the system's cache folder", help: 'folder for the index of symbols; --no-cache: none', manual: 'folder for the index of symbols; `false`, or `off` in the environment: none, so that each search reads the files' },
  ...httpLines('CODE_MCP'),
  structuredContent: { type: onOff(false), help: '', manual: 'also return figures as structured content; some clients then hide the text' },
  alwaysLoad: { type: onOff(true), help: '', manual: 'mark the tools for searching and reading with `anthropic/alwaysLoad`, so that clients that hide tools show them' },
}, 'CODE_MCP')

export type Settings = z.output<typeof settings.schema>
