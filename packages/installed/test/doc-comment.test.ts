import { expect, test } from 'vitest'
import { commentText, docstringText } from '../src/declarations/doc-comment.ts'
import { signatureOf } from '../src/declarations/signature-of.ts'

test.each([
  ['"""One.\n\n    Two.\n      Three."""', 'One.\n\nTwo.\n  Three.'],
  ['"f\\x41 \\t \\u00e9 \\"q\\""', 'fA \t é "q"'],
  ['r"a\\n"', 'a\\n'],
  ['"one " "two"', 'one two'],
  ['b"bytes"', ''],
  ['"""cut off in its', 'cut off in its'],
  ['#: of a name', 'of a name'],
])('%j documents %j', (documentation, text) => {
  expect(docstringText(documentation)).toBe(text)
})

test.each([
  ['/** See {@link Foo.bar | the label} and {@link Foo}. */', 'See the label and Foo.'],
  ['/** @see {@link C.v the v} */', '- *see* the v'],
])('%s is %s', (comment, text) => {
  expect(commentText(comment)).toBe(text)
})

test.each([
  ["type U = // one\n  | 'a//b' // first\n  | 'c';", "type U = | 'a//b' | 'c'"],
  ['f(a: /* why */ 1): `http://x`', 'f(a: 1): `http://x`'],
])('comments are no part of the signature of %j', (text, signature) => {
  expect(signatureOf(text)).toBe(signature)
})
