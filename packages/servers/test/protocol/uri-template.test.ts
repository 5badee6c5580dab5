import { describe, expect, test } from 'vitest'
import { matchesTemplate } from '../../src/protocol/uri-template.ts'

describe('a URI can have come of a template', () => {
  test.each([
    ['demo://resource/{id}', 'demo://resource/5'],
    ['file:///{+path}', 'file:///a/b/c.txt'],
    ['db://{schema}/{table}', 'db://public/users'],
    ['api://search{?q,limit}', 'api://search?q=a&limit=5'],
    ['api://search{?q,limit}', 'api://search'],
    ['repo://{owner}/{repo}/contents{/path*}', 'repo://a/b/contents/src/x.ts'],
    ['x://a.b/{id}', 'x://a.b/1'],
  ])('%s: %s', (template, uri) => {
    expect(matchesTemplate(template, uri)).toBe(true)
  })

  test.each([
    ['demo://resource/{id}', 'demo://resource/5/6'],
    ['demo://resource/{id}', 'demo://resource/'],
    ['demo://resource/{id}', 'other://resource/5'],
    ['x://a.b/{id}', 'x://axb/1'],
    ['x://y', 'x://yz'],
  ])('but not %s: %s', (template, uri) => {
    expect(matchesTemplate(template, uri)).toBe(false)
  })
})

test('a template that repeats a variable takes little processor time', () => {
  const before = process.cpuUsage()
  matchesTemplate('x://{+a}{+b}{+c}{+d}{+e}{+f}{+g}{+h}!', `x://${'a'.repeat(8_000)}`)
  expect(process.cpuUsage(before).user).toBeLessThan(2_500_000)
})
