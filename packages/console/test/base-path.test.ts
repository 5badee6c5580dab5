import { expect, test } from 'vitest'
import { basePathOf, pathBelow } from '../web/text/paths.ts'

test.each([
  ['http://127.0.0.1:8808/assets/index-x.js', ''],
  ['https://example.org/pith/assets/index-x.js', '/pith'],
  ['https://example.org/a/b/assets/index-x.js', '/a/b'],
  ['http://localhost:5173/text/base-path.ts', ''],
  ['file:///work/console/web/text/base-path.ts', ''],
])('of a script at %s is %j', (script, path) => expect(basePathOf(script)).toBe(path))

test.each([
  ['', '/tools/a%2Fb', '/tools/a%2Fb'],
  ['/pith', '/pith/tools/a%2Fb', '/tools/a%2Fb'],
  ['/pith', '/pith/', '/'],
  ['/pith', '/pithy/tools', '/'],
])('below %j, %s is %s', (base, path, below) => expect(pathBelow(base, path)).toBe(below))
