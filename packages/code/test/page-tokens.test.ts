import { CodeError, maxPageTokens } from '@pith-mcp/code'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readPageSize, sizeText } from '../src/text/page-size.ts'
import { type CodeFolder, codeFolder } from './code-folder.ts'
import { comment, long, source } from './long-function.ts'

let it: CodeFolder
beforeAll(async () => {
  it = await codeFolder({ 'a.js': source })
})
afterAll(() => it.remove())

describe('page tokens', () => {
  const tokenOf = async (pageSize: number) => {
    const { nextPageToken } = await it.code.functionChunk('a.js', 'long', { pageSize })
    return nextPageToken as string
  }

  test('work with another page size too', async () => {
    const pageToken = await tokenOf(500)
    const page = await it.code.functionChunk('a.js', 'long', { pageToken, pageSize: 900 })
    const first = await it.code.functionChunk('a.js', 'long', { pageSize: 500 })
    expect(first.text + page.text).toBe(long.slice(0, first.text.length + page.text.length))
    expect(page.currentPage).toBe(2)
  })

  test('stay good when the code above changes, and say so when the function does', async () => {
    const pageToken = await tokenOf(500)
    await it.write('a.js', `// new\n// lines\n${source}`)
    const page = await it.code.functionChunk('a.js', 'long', { pageToken, pageSize: 500 })
    expect(page.currentPage).toBe(2)
    await it.write('a.js', source.replace('About 1.', 'About it.'))
    const changed = it.code.functionChunk('a.js', 'long', { pageToken, pageSize: 500 })
    await expect(changed).rejects.toMatchObject({
      code: 'content_changed',
      message: expect.stringContaining('content_changed'),
      remedy: expect.stringMatching(/first page, without a token, .*at line \d+/),
    })
    await it.write('a.js', source)
  })

  test('an edit above the function, also in its comment, changes no page', async () => {
    const { code, write, remove } = await codeFolder({ 'a.js': source })
    const options = { pageSize: 500 }
    const second = await code.functionChunk('a.js', 'long', {
      ...options,
      pageToken: (await code.functionChunk('a.js', 'long', options)).nextPageToken,
    })
    for (const above of ['', `${comment}// And a line.\n`, comment.repeat(9)]) {
      await write('a.js', source.replace(comment, above))
      const pageToken = second.nextPageToken
      const third = await code.functionChunk('a.js', 'long', { ...options, pageToken })
      const again = await code.functionChunk('a.js', 'long', {
        ...options,
        pageToken: third.prevPageToken,
      })
      expect(again).toMatchObject({ text: second.text, currentPage: 2 })
      expect(third).toMatchObject({ currentPage: 3, totalPages: second.totalPages })
    }
    await remove()
  })

  test('an edit behind a page costs nothing, one before it names the line', async () => {
    const { code, write, remove } = await codeFolder({ 'a.js': source })
    const options = { pageSize: 500 }
    const { nextPageToken: pageToken } = await code.functionChunk('a.js', 'long', options)
    const page = await code.functionChunk('a.js', 'long', { ...options, pageToken })
    await write('a.js', source.replace('About 299', 'Quite another text about 299'))
    const same = await code.functionChunk('a.js', 'long', { ...options, pageToken })
    expect(same).toMatchObject({ text: page.text, currentPage: 2 })
    await write('a.js', source.replace('Why 0.', 'Why X.'))
    await expect(
      code.functionChunk('a.js', 'long', { ...options, pageToken }),
    ).rejects.toMatchObject({ code: 'content_changed', line: page.startLine })
    await remove()
  })

  test('name the function that they are of, when another has its name', async () => {
    const other = 'function long() {\n  return 0\n}\n'
    const { code, write, remove } = await codeFolder({ 'a.js': source })
    const options = { pageSize: 500 }
    const { nextPageToken: pageToken } = await code.functionChunk('a.js', 'long', options)
    const page = await code.functionChunk('a.js', 'long', { ...options, pageToken })
    await write('a.js', other + source)
    for (const name of ['long', 'long[0]', 'long[1]'])
      expect(await code.functionChunk('a.js', name, { ...options, pageToken })).toMatchObject({
        text: page.text,
        symbol: { path: 'long[1]' },
      })
    await expect(code.functionChunk('a.js', 'long', options)).rejects.toMatchObject({
      code: 'ambiguous',
    })
    await remove()
  })

  test('have at most 14 characters in a function of 900 kB', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `  call(${at}, 'some text of a line')`)
    const { code, remove } = await codeFolder({
      'a.js': `function f() {\n${lines.join('\n')}\n}\n`,
    })
    const { prevPageToken } = await code.functionChunk('a.js', 'f', { startLine: 20_000 })
    expect(prevPageToken?.length).toBeLessThanOrEqual(14)
    await remove()
  })

  test('a slip of one character is mended, and said', async () => {
    const pageToken = await tokenOf(500)
    const swapped = pageToken.replace(/(.)(.)$/, (_, one, two) =>
      one === two ? `${one}${two}${two}` : two + one,
    )
    const page = await it.code.functionChunk('a.js', 'long', {
      pageToken: swapped,
      pageSize: 500,
    })
    expect(page).toMatchObject({ currentPage: 2, isCorrected: true })
  })

  test('an invalid token is refused with the valid ones', async () => {
    const wrong = it.code.functionChunk('a.js', 'long', { pageToken: 'page 2' })
    await expect(wrong).rejects.toMatchObject({
      code: 'bad_argument',
      remedy: expect.stringMatching(/0\.\w{6}, \d+\.\w{6}/),
    })
  })

  test('one of another function is not taken', async () => {
    const other = it.code.functionChunk('a.js', 'text', { pageToken: await tokenOf(500) })
    await expect(other).rejects.toMatchObject({ code: 'content_changed' })
  })
})

describe('page tokens that work alone', () => {
  const standalone = true

  test('lead through the whole function, each with the size of its page', async () => {
    let page = await it.code.functionChunk('a.js', 'long', {
      standalone,
      pageSize: '40 lines, 3 KB',
    })
    let text = page.text
    while (page.nextPageToken) {
      const before = page
      page = await it.code.page(page.nextPageToken, { standalone })
      text += page.text
      expect(page).toMatchObject({ currentPage: before.currentPage + 1, id: 'a.js#long' })
      expect(page.totalPages).toBe(before.totalPages)
      expect(page.endLine - page.startLine).toBeLessThan(40)
      expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(3 * 1024)
      const back = await it.code.page(page.prevPageToken as string, { standalone })
      expect(back.text).toBe(before.text)
    }
    expect(text).toBe(long)
  })

  test('another size may be asked for, and a slip in the tag is mended', async () => {
    const { nextPageToken = '' } = await it.code.functionChunk('a.js', 'long', {
      standalone,
      pageSize: '40 lines',
    })
    const more = await it.code.page(nextPageToken, { standalone, pageSize: '80 lines' })
    expect(more.endLine - more.startLine).toBeGreaterThan(60)
    const slipped = nextPageToken.replace(/(.)$/, (end) => (end === 'a' ? 'b' : 'a'))
    expect(await it.code.page(slipped, { standalone })).toMatchObject({ isCorrected: true })
  })

  test('every slip is corrected or refused, and never another page', async () => {
    const options = { standalone, pageSize: '40 lines, 3 KB' }
    const { nextPageToken: token = '' } = await it.code.functionChunk('a.js', 'long', options)
    const page = await it.code.page(token, { standalone })
    const slips = Array.from(token, (_, at) => [
      token.slice(0, at) + token.slice(at + 1),
      token.slice(0, at) + (token[at] === '1' ? '2' : '1') + token.slice(at + 1),
      `${token.slice(0, at)}${token[at]}${token.slice(at)}`,
    ]).flat()
    let corrected = 0
    for (const slip of [...slips, `${token}x`]) {
      const read = await it.code.page(slip, { standalone }).catch((error: unknown) => error)
      if (read instanceof CodeError) continue
      expect(read).toMatchObject({ text: page.text, currentPage: 2 })
      expect(read).not.toHaveProperty('isChanged')
      corrected++
    }
    // Those of the tag and of the start, at least.
    expect(corrected).toBeGreaterThan(6 * 3)
    for (const around of [`"${token}"`, ` \`${token}\` `])
      expect((await it.code.page(around, { standalone })).text).toBe(page.text)
    await expect(it.code.page('0.abc123')).rejects.toMatchObject({ code: 'bad_argument' })
  })

  test('a page that ends elsewhere now says so', async () => {
    const { code, write, remove } = await codeFolder({ 'a.js': source })
    const options = { standalone, pageSize: '40 lines' }
    const { nextPageToken = '' } = await code.functionChunk('a.js', 'long', options)
    const page = await code.page(nextPageToken, { standalone })
    expect(page.isChanged).toBeUndefined()
    const [first = ''] = page.text.split('\n')
    await write('a.js', source.replace(first, `${first} // A comment.`))
    expect(await code.page(nextPageToken, { standalone })).toMatchObject({ isChanged: true })
    await remove()
  })

  test('paths and names may have any characters', async () => {
    const path = 'a @1-2:3l.b#c "d" %41 \u0085.js'
    const { code, remove } = await codeFolder({ [path]: source })
    const { nextPageToken = '' } = await code.functionChunk(path, 'long', {
      standalone,
      pageSize: 500,
    })
    expect(JSON.stringify(nextPageToken)).toBe(`"${nextPageToken}"`)
    expect(await code.page(nextPageToken, { standalone })).toMatchObject({
      file: path,
      currentPage: 2,
    })
    await remove()
  })
})

describe('where a page is among the others', () => {
  test('the number of pages is the same from any line, and the numbers rise to it', async () => {
    for (const pageSize of ['100 lines', '2 KB', 500]) {
      const { totalPages } = await it.code.functionChunk('a.js', 'long', { pageSize })
      let page = await it.code.functionChunk('a.js', 'long', { pageSize, startLine: 333 })
      for (;;) {
        expect(page.totalPages).toBe(totalPages)
        expect(page.currentPage).toBeLessThanOrEqual(totalPages)
        if (!page.nextPageToken) break
        const { nextPageToken: pageToken, currentPage } = page
        page = await it.code.functionChunk('a.js', 'long', { pageSize, pageToken })
        expect(page.currentPage).toBeGreaterThanOrEqual(currentPage)
      }
      expect(page.currentPage).toBe(totalPages)
    }
  })

  test('a token and a line at once are refused', async () => {
    const { nextPageToken: pageToken } = await it.code.functionChunk('a.js', 'long', {
      pageSize: 500,
    })
    const both = it.code.functionChunk('a.js', 'long', { pageToken, startLine: 9 })
    await expect(both).rejects.toMatchObject({ code: 'bad_argument' })
  })

  test('a page that begins or ends within a line says so', async () => {
    const first = await it.code.functionChunk('a.js', 'tiny', { pageSize: 500 })
    expect(first).toMatchObject({ endsInLine: true, isPartial: true })
    expect(first).not.toHaveProperty('beginsInLine')
    const { nextPageToken: pageToken } = first
    const next = await it.code.functionChunk('a.js', 'tiny', { pageSize: 500, pageToken })
    expect(next).toMatchObject({ beginsInLine: true })
  })
})

describe('sizes of pages', () => {
  test('may have two limits, and units in Japanese', () => {
    expect(readPageSize('500 lines, 10 KB')).toEqual({ lines: 500, bytes: 10_240 })
    expect(readPageSize('500行、10KB')).toEqual({ lines: 500, bytes: 10_240 })
    expect(readPageSize('1,000 tokens')).toEqual({ tokens: 1_000 })
    expect(readPageSize('1_000lines,2000b')).toEqual({ lines: 1_000, bytes: 2_000 })
    expect(readPageSize(300, 'lines')).toEqual({ lines: 300 })
    for (const both of ['500 lines and 10 KB', '500 lines / 10 KB', '５００行，10KB'])
      expect(readPageSize(both)).toEqual({ lines: 500, bytes: 10_240 })
    expect(readPageSize('0')).toEqual({ tokens: maxPageTokens })
    for (const size of [{ lines: 500, bytes: 10_240 }, { tokens: 4_000 }])
      expect(readPageSize(sizeText(size))).toEqual(size)
    for (const wrong of ['', 'ten', '5 lines, x', ', 5 lines', '5 parsecs', '-5'])
      expect(() => readPageSize(wrong)).toThrow(CodeError)
  })

  test('both limits hold for each page', async () => {
    const { code, remove } = await codeFolder({ 'a.js': source })
    for (const pageSize of ['20 lines, 100 KB', '1000 lines, 1 KB']) {
      const page = await code.functionChunk('a.js', 'long', { pageSize })
      expect(page.endLine).toBeLessThanOrEqual(pageSize.startsWith('20') ? 20 : 1000)
      expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(
        pageSize.startsWith('20') ? 1e5 : 1024,
      )
    }
    await remove()
  })

  test('a line counts although its end is missing, and long lines are cut at the bytes', async () => {
    const lines = (count: number) =>
      `function f() {\n${'  step()\n'.repeat(count - 2)}}\n\nconst s = '${'é'.repeat(2_000)}'\n`
    const { code, write, remove } = await codeFolder({ 'a.js': lines(500) })
    const pages = async () =>
      (await code.functionChunk('a.js', 'f', { pageSize: '500 lines' })).totalPages
    expect(await pages()).toBe(1)
    await write('a.js', lines(501))
    expect(await pages()).toBe(2)
    for (const pageSize of ['10 lines, 100 bytes', '100 bytes']) {
      let page = await code.chunk('a.js', { pageSize })
      let text = page.text
      while (page.nextPageToken) {
        expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(100)
        page = await code.chunk('a.js', { pageSize, pageToken: page.nextPageToken })
        text += page.text
      }
      expect(text).toBe(lines(501))
    }
    await remove()
  })

  test('a call may say up to which size a function is one page', async () => {
    const { code, remove } = await codeFolder({ 'a.js': source })
    const pageSize = '20 lines'
    const whole = await code.functionChunk('a.js', 'long', {
      pageSize,
      pagingThreshold: '5000 lines, 1000 KB',
    })
    expect(whole.totalPages).toBe(1)
    const paged = await code.functionChunk('a.js', 'long', {
      pageSize,
      pagingThreshold: '30 lines',
    })
    expect(paged.endLine).toBeLessThanOrEqual(20)
    await remove()
  })
})
