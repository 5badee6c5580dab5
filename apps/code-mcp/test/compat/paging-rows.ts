import { expect } from 'vitest'
import type { RowText } from '../../../../test/compat-table.ts'

interface Answer {
  text: string
  isError: boolean
  fields: Record<string, unknown>
}

/** Calls a tool of a server with `--compat paging`, in English or Japanese. */
export type CallPaging = (
  tool: string,
  args: Record<string, unknown>,
  locale?: 'en' | 'ja',
) => Promise<Answer>

/** A line of docs/compat.md, and the calls that prove it. */
interface PagingRow extends RowText {
  check(call: CallPaging): Promise<void>
}

const lines = 1_200
/** About 18 kB, a line more than {@link lines} at each end. */
export const hugeSource = `function huge() {\n${Array.from({ length: lines }, (_, at) => `  step(${at})\n`).join('')}}\n\nfunction small() {}\n`

export const huge = { filePath: 'huge.js', functionSignature: 'huge' }
const readHuge = (call: CallPaging, args: object = {}) =>
  call('get_function_chunk', { ...huge, ...args })

export const pagingRows: readonly PagingRow[] = [
  {
    tool: 'get_function_chunk',
    parameter: 'filePath',
    theirs: 'path of the file',
    ours: 'the same; not needed with a `pageToken`',
    async check(call) {
      expect((await readHuge(call)).fields).toMatchObject({ file: 'huge.js', isPartial: true })
      const { text, isError } = await call('get_function_chunk', { functionSignature: 'huge' })
      expect(isError).toBe(true)
      expect(text).toContain('filePath is required')
    },
  },
  {
    tool: 'get_function_chunk',
    parameter: 'functionSignature',
    theirs: 'signature of the function',
    ours: 'a signature, a name path such as `Class/method`, or `line 120`',
    async check(call) {
      for (const functionSignature of ['huge', 'function huge()', 'line 7'])
        expect((await readHuge(call, { functionSignature })).fields['id']).toBe('huge.js#huge')
    },
  },
  {
    tool: 'get_function_chunk',
    parameter: 'pageToken',
    theirs: 'stateless: path, signature, offsets and page size in it',
    ours: 'the same, readable, with a tag of the text before the page: alone enough for the page, refused if that text has changed',
    async check(call) {
      const first = await readHuge(call, { pageSize: 100 })
      const pageToken = first.fields['nextPageToken']
      expect(pageToken).toMatch(/^huge\.js#huge@\d+-\d+:100l\.[\da-z]{6}$/)
      const second = await call('get_function_chunk', { pageToken })
      expect(second.fields).toMatchObject({ currentPage: 2, startLine: 101, endLine: 200 })
      const wrong = `huge.js#huge@5-9:100l.aaaaaa`
      expect((await call('get_function_chunk', { pageToken: wrong })).isError).toBe(true)
    },
  },
  {
    tool: 'get_function_chunk',
    parameter: 'pageSize',
    theirs: 'lines or bytes of a page; default: the threshold',
    ours: 'a number of lines, or `"10 KB"`, or both limits; default: the threshold',
    async check(call) {
      expect((await readHuge(call, { pageSize: 50 })).fields['endLine']).toBe(50)
      expect((await readHuge(call, { pageSize: '50行' })).fields['endLine']).toBe(50)
      const { fields } = await readHuge(call, { pageSize: '1 KB' })
      expect(fields['totalPages']).toBe(Math.ceil(hugeSource.length / 1024))
      expect((await readHuge(call)).fields['endLine']).toBe(500)
    },
  },
  {
    tool: 'get_function_chunk',
    parameter: 'threshold',
    theirs: '500 lines or 10 KB, from settings or an argument; above it a function has pages',
    ours: 'the same, as `--page-over`, `--page-size` or this parameter',
    async check(call) {
      const whole = await readHuge(call, { threshold: '2000 lines, 100 KB' })
      expect(whole.fields).toMatchObject({ isPartial: false, totalPages: 1 })
      const paged = await readHuge(call, { threshold: 300 })
      expect(paged.fields).toMatchObject({ isPartial: true, endLine: 300 })
    },
  },
  {
    tool: 'get_function_chunk',
    parameter: 'startLine',
    theirs: 'no such parameter',
    ours: 'a line to begin at',
    async check(call) {
      expect((await readHuge(call, { startLine: 700 })).fields['startLine']).toBe(700)
    },
  },
  {
    tool: 'get_function_chunk',
    parameter: 'three sentences',
    theirs:
      'at the head of the content, in Japanese: that it is a part, which part, how to ask for the next and the previous one',
    ours: 'the same, in English or Japanese; none for a function of one page; the tokens need no other parameter',
    async check(call) {
      const { fields } = await readHuge(call, { pageSize: 400 })
      const pageToken = fields['nextPageToken'] as string
      const english = await call('get_function_chunk', { pageToken })
      const { nextPageToken, prevPageToken } = english.fields
      expect(english.text.split('\n').slice(0, 3)).toEqual([
        'This function is very large, so only a part of it is shown.',
        'Page 2/4, lines 401-800 of 1202.',
        `To get the next part, call the \`get_function_chunk\` tool with \`pageToken: "${nextPageToken}"\`. To get the previous part, call the \`get_function_chunk\` tool with \`pageToken: "${prevPageToken}"\`.`,
      ])
      const japanese = await call('get_function_chunk', { pageToken }, 'ja')
      expect(japanese.text.split('\n').slice(0, 3)).toEqual([
        'この関数は巨大なため、一部のみを表示しています。',
        '2/4ページ目、401-800行目（全1202行）',
        `次の部分を取得するには、\`get_function_chunk\` ツールに \`pageToken: "${nextPageToken}"\` を指定してリクエストしてください。前の部分を取得するには、\`get_function_chunk\` ツールに \`pageToken: "${prevPageToken}"\` を指定してリクエストしてください。`,
      ])
      const small = await call('get_function_chunk', { ...huge, functionSignature: 'small' })
      expect(small.text).toMatch(/^huge\.js:/)
    },
  },
  {
    tool: 'get_function_chunk',
    parameter: 'all fields',
    theirs:
      '`isPartial`, `totalLines`, `currentPage`, `totalPages`, `nextPageToken`, `prevPageToken`, `content`',
    ours: 'the same, with `startLine`, `endLine` and others, as structured content with an output schema; `content` is the text of the reply',
    async check(call) {
      const { text, fields } = await readHuge(call, { pageSize: 400 })
      expect(fields).toMatchObject({
        isPartial: true,
        totalLines: lines + 2,
        currentPage: 1,
        totalPages: 4,
        nextPageToken: expect.any(String),
        content: text,
      })
      expect(fields).not.toHaveProperty('prevPageToken')
    },
  },
  {
    tool: 'get_chunk',
    parameter: 'chunkId',
    theirs: 'id of a chunk',
    ours: '`path#name`, or the path of a whole file; not needed with a `pageToken`',
    async check(call) {
      const { fields } = await call('get_chunk', { chunkId: 'huge.js#huge' })
      expect(fields['id']).toBe('huge.js#huge')
      expect((await call('get_chunk', { chunkId: 'huge.js' })).fields['id']).toBe('huge.js')
    },
  },
  {
    tool: 'get_chunk',
    parameter: 'pageToken',
    theirs: 'as get_function_chunk',
    ours: 'as get_function_chunk; each of the two takes the tokens of the other',
    async check(call) {
      const { fields, text } = await call('get_chunk', { chunkId: 'huge.js' })
      expect(text).toContain('call the `get_chunk` tool')
      const pageToken = fields['nextPageToken']
      for (const tool of ['get_chunk', 'get_function_chunk'])
        expect((await call(tool, { pageToken })).fields).toMatchObject({
          id: 'huge.js',
          currentPage: 2,
        })
    },
  },
  {
    tool: 'get_chunk',
    parameter: 'pageSize',
    theirs: 'as get_function_chunk',
    ours: 'as get_function_chunk, with `threshold` and `startLine`',
    async check(call) {
      const { fields } = await call('get_chunk', { chunkId: 'huge.js', pageSize: 10 })
      expect(fields['endLine']).toBe(10)
    },
  },
]
