import type { System } from '../inspired-by.ts'

const rows = 'apps/code-mcp/test/compat.test.ts'
const tokens = 'packages/code/test/page-tokens.test.ts'

export const paging: System = {
  title: 'Paging of huge functions',
  text: 'A design of project-analyzer-mcp, to the letter in `code-mcp --compat paging`.',
  behaviours: [
    {
      behaviour: '`get_function_chunk` returns a function by file and signature',
      place: 'packages/code/src/chunk/function-chunk.ts',
      test: [rows, 'get_function_chunk: functionSignature'],
      difference: 'a name path or a line works, too',
    },
    {
      behaviour: '`get_chunk` returns a chunk by its id',
      place: 'packages/code/src/chunk/read-chunk.ts',
      test: [rows, 'get_chunk: chunkId'],
    },
    {
      behaviour: 'states `isPartial`, the lines, the page, the pages and both tokens',
      place: 'apps/code-mcp/src/compat/paging-tools.ts',
      test: [rows, 'get_function_chunk: all fields'],
      difference: '`content` is the text of the reply',
    },
    {
      behaviour: 'begins a part with three sentences in Japanese',
      place: 'apps/code-mcp/src/compat/partial-head.ts',
      test: [rows, 'get_function_chunk: three sentences'],
      difference: 'in English without `--locale ja`',
    },
    {
      behaviour: 'pages functions above 500 lines or 10 KB',
      place: 'packages/code/src/chunk/read-chunk.ts',
      test: [rows, 'get_function_chunk: threshold'],
      difference: 'without `--compat`: 4,000 tokens',
    },
    {
      behaviour: 'keeps no state: a page token has all that a page needs',
      place: 'packages/code/src/chunk/page-address.ts',
      test: [tokens, 'lead through the whole function, each with the size of its page'],
    },
    {
      behaviour: 'the pages add up to the function',
      place: 'packages/code/src/paging/pages.ts',
      test: [rows, 'pages lead from one to the next by the token alone, and are the function'],
    },
    {
      behaviour: 'works with a file that was edited meanwhile',
      place: 'packages/code/src/chunk/text-before.ts',
      test: [tokens, 'stay good when the code above changes, and say so when the function does'],
      difference: 'a token of changed text is refused',
    },
    {
      behaviour: 'pages functions in Swift and Kotlin',
      place: 'packages/code/src/languages/swift.ts',
      test: [
        'packages/code/test/languages/fixtures.test.ts',
        '%s has the symbols and the places to cut of its golden',
      ],
      difference: 'and in other languages',
    },
  ],
}
