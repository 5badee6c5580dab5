import { expect, test } from 'vitest'
import { joinedText } from '../src/readers/pdf/headings.ts'

const words = new Set(['documentation', 'corresponds', 'state', 'less', 'host-specific', 'time'])
const isWord = (word: string): boolean => words.has(word)

test.each([
  ['the documen-', 'tation of it', 'the documentation of it'],
  ['Documen-', 'tation', 'Documentation'],
  ['correspond-', 'ing lines', 'corresponding lines'],
  ['unseen frag-', 'ments', 'unseen fragments'],
  ['is host-', 'specific', 'is host-specific'],
  ['a state-', 'less time', 'a state-less time'],
  ['is well-', 'known', 'is well-known'],
  ['state-of-the-', 'art', 'state-of-the-art'],
  ['with --dry-', 'run.', 'with --dry-run.'],
  ['in /etc/my-', 'app/config', 'in /etc/my-app/config'],
  ['set read-', 'time=5', 'set read-time=5'],
  ['libfoo2-', 'dev', 'libfoo2-dev'],
  ['see page-', 'one.conf', 'see page-one.conf'],
  ['one -', 'two', 'one - two'],
  ['Anglo-', 'Saxon', 'Anglo- Saxon'],
])('%j and %j are %j', (before, next, joined) => {
  expect(joinedText(before, next, isWord)).toBe(joined)
})
