import { expect, test } from 'vitest'
import { serverPath, toolPath } from '../web/text/paths.ts'

test.each(['create_issue', '%', '%252F+', '../..\n\u0000\\', 'a&name=b#c?d', 'naïve/路径 👍🏽'])(
  'whatever a tool is called, %j for one, its address leads to it',
  (name) => {
    const { pathname, searchParams } = new URL(
      toolPath({ server: 'one', name }),
      'http://localhost',
    )
    expect(pathname).toBe('/tools/tool')
    expect(searchParams.get('server')).toBe('one')
    expect(searchParams.get('name')).toBe(name)
  },
)

test('a name that is no text has an address all the same', () => {
  expect(serverPath('a\ud800')).toBe('/servers/a%EF%BF%BD')
})
