import { type Language, nameText, scopedName } from './language.ts'
import type { Node } from './node.ts'
import type { SymbolKind } from './symbol-kind.ts'

export const ruby: Language = {
  name: 'ruby',
  extensions: ['.rb', '.rake', '.gemspec', '.ru', '.podspec', '.jbuilder', '.thor'],
  filenames: ['Rakefile', 'Gemfile', 'Vagrantfile', 'Podfile', 'Fastfile'],
  interpreters: ['ruby'],
  definitions: {
    method: { kind: 'method' },
    singleton_method: { kind: 'method' },
    class: { kind: 'class', name: scopedName },
    module: { kind: 'module', name: scopedName },
    assignment: { kind: kindOfConstant, name: nameOfConstant, body: 'right' },
  },
  lists: {
    program: true,
    begin: true,
    body_statement: true,
    block_body: true,
    // biome-ignore lint/suspicious/noThenProperty: so the grammar calls it.
    then: true,
    else: true,
    ensure: true,
    do: true,
    case: '!value',
    case_match: '!value',
  },
  tokens: ['comment', 'string', 'heredoc_body', 'regex', 'string_array', 'symbol_array'],
  interpolated: ['string', 'heredoc_body', 'regex', 'string_array', 'symbol_array'],
  values: {
    // A block is no scope of constants.
    groups: /^/,
    rules: [{ at: /^(?=[A-Z]\w*\s*(?:\|\|)?=(?![=~>]))/, kind: 'constant', names: 'one' }],
  },
}

/** `Name = ->(…) { … }`, and classes of `Struct.new` and similar calls with a block. */
function nameOfConstant(node: Node): string | undefined {
  const target = node.childForFieldName('left')
  const value = node.childForFieldName('right')
  const isMade =
    value?.type === 'lambda' ||
    (/^(?:Struct\.new|Data\.define|Class\.new|Module\.new)\b/.test(
      value?.text.slice(0, 20) ?? '',
    ) &&
      value?.childForFieldName('block'))
  return target?.type === 'constant' && isMade ? nameText(target) : undefined
}

function kindOfConstant(node: Node): SymbolKind {
  return node.childForFieldName('right')?.type === 'lambda' ? 'function' : 'class'
}
