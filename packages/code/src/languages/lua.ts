import { type Language, memberPath, nameText } from './language.ts'
import type { Node } from './node.ts'

export const lua: Language = {
  name: 'lua',
  extensions: ['.lua', '.luau', '.rockspec'],
  interpreters: ['lua', 'luajit'],
  definitions: {
    function_declaration: {
      kind: 'function',
      name: (node) => memberPath(node.childForFieldName('name')),
    },
    assignment_statement: { kind: 'function', name: assignedName },
    field: {
      kind: 'function',
      name: keyOfField,
      when: { field: 'value', types: ['function_definition'] },
      body: 'value',
    },
  },
  lists: { chunk: true, block: true },
  wrappers: ['variable_declaration'],
  tokens: ['comment', 'string'],
  values: {
    groups: /^(?:if|do|for|while)\b/,
    rules: [
      { at: /^local\s+(?!function\b)/, kind: 'variable' },
      { at: /^(?:[A-Za-z_]\w*\.)*(?=[A-Za-z_]\w*\s*=(?!=))/, kind: 'variable', names: 'one' },
    ],
  },
}

/** `M.f = function … end`, for a single variable. */
function assignedName(node: Node): string | undefined {
  const [names, values] = [node.namedChild(0), node.namedChild(1)]
  const isFunction =
    values?.namedChildCount === 1 && values.namedChild(0)?.type === 'function_definition'
  return isFunction && names?.namedChildCount === 1 ? memberPath(names.namedChild(0)) : undefined
}

/** `name = …` and `["name"] = …`. */
function keyOfField(node: Node): string | undefined {
  return nameText(node.childForFieldName('name'))?.replace(/^(['"])(.*)\1$/, '$2')
}
