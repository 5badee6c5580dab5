import type { Node } from 'web-tree-sitter'
import type { Language } from './language.ts'
import { memberPath, nameText } from './read-name.ts'

export const python: Language = {
  name: 'python',
  grammar: 'python',
  extensions: ['.py', '.pyi', '.pyw'],
  interpreters: ['python', 'python2', 'python3'],
  definitions: {
    function_definition: { kind: 'function' },
    class_definition: { kind: 'class' },
  },
  lists: { module: true, block: true },
  wrappers: ['decorated_definition'],
  tokens: ['comment', 'string'],
}

export const ruby: Language = {
  name: 'ruby',
  grammar: 'ruby',
  extensions: ['.rb', '.rake', '.gemspec', '.ru'],
  filenames: ['Rakefile', 'Gemfile', 'Vagrantfile', 'Podfile', 'Fastfile'],
  interpreters: ['ruby'],
  definitions: {
    method: { kind: 'method' },
    singleton_method: { kind: 'method' },
    class: { kind: 'class', name: scopedName },
    module: { kind: 'module', name: scopedName },
  },
  lists: {
    program: true,
    body_statement: true,
    block_body: true,
    // biome-ignore lint/suspicious/noThenProperty: it is a node of the grammar.
    then: true,
    else: true,
    ensure: true,
    do: true,
    case: '!value',
  },
  wrappers: [],
  tokens: ['comment', 'string', 'heredoc_body', 'regex', 'string_array', 'symbol_array'],
}

/** `A::B` is a path. */
function scopedName(node: Node): string | undefined {
  return nameText(node.childForFieldName('name'))?.replace(/^::/, '').split('::').join('/')
}

export const php: Language = {
  name: 'php',
  grammar: 'php',
  extensions: ['.php', '.phtml', '.inc'],
  interpreters: ['php'],
  definitions: {
    function_definition: { kind: 'function' },
    method_declaration: { kind: 'method' },
    class_declaration: { kind: 'class' },
    interface_declaration: { kind: 'interface' },
    trait_declaration: { kind: 'interface' },
    enum_declaration: { kind: 'enum' },
    // Without braces it goes on to the next one, and its members are its siblings.
    namespace_definition: {
      kind: 'module',
      when: { field: 'body', types: ['compound_statement'] },
    },
  },
  lists: {
    program: true,
    compound_statement: true,
    colon_block: true,
    declaration_list: true,
    enum_declaration_list: true,
    switch_block: true,
    case_statement: '!value',
    default_statement: true,
  },
  wrappers: [],
  tokens: [
    'comment',
    'string',
    'encapsed_string',
    'heredoc',
    'nowdoc',
    'text',
    'text_interpolation',
  ],
}

export const lua: Language = {
  name: 'lua',
  grammar: 'lua',
  extensions: ['.lua'],
  interpreters: ['lua', 'luajit'],
  definitions: {
    function_declaration: {
      kind: 'function',
      name: (node) => memberPath(node.childForFieldName('name')),
    },
    assignment_statement: { kind: 'function', name: assignedName },
    field: {
      kind: 'function',
      when: { field: 'value', types: ['function_definition'] },
      body: 'value',
    },
  },
  lists: { chunk: true, block: true },
  wrappers: ['variable_declaration'],
  tokens: ['comment', 'string'],
}

/** `M.f = function … end`, of one variable. */
function assignedName(node: Node): string | undefined {
  const [names, values] = [node.namedChild(0), node.namedChild(1)]
  const isFunction =
    values?.namedChildCount === 1 && values.namedChild(0)?.type === 'function_definition'
  return isFunction && names?.namedChildCount === 1 ? memberPath(names.namedChild(0)) : undefined
}

export const bash: Language = {
  name: 'bash',
  grammar: 'bash',
  extensions: ['.sh', '.bash', '.zsh', '.ksh', '.bats'],
  filenames: ['.bashrc', '.bash_profile', '.profile', '.zshrc', 'PKGBUILD'],
  interpreters: ['sh', 'bash', 'dash', 'zsh', 'ksh'],
  definitions: { function_definition: { kind: 'function' } },
  lists: {
    program: true,
    compound_statement: true,
    do_group: true,
    subshell: true,
    if_statement: '!condition',
    elif_clause: '!condition',
    else_clause: true,
    case_statement: '!value',
    case_item: '!value',
  },
  wrappers: [],
  tokens: ['comment', 'string', 'raw_string', 'heredoc_body', 'ansi_c_string'],
}
