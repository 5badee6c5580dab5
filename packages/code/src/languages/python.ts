import type { Language } from './language.ts'

export const python: Language = {
  name: 'python',
  extensions: ['.py', '.pyi', '.pyw', '.wsgi', '.bzl'],
  interpreters: ['python'],
  definitions: {
    function_definition: { kind: 'function' },
    class_definition: { kind: 'class' },
  },
  lists: { module: true, block: true },
  wrappers: ['decorated_definition'],
  tokens: ['comment', 'string'],
  values: {
    groups: /^(?:if|try|with|for|while)\b/,
    rules: [
      {
        at: /^(?!(?:try|else|finally|with)\b)(?=[^\W\d]\w*(?:\s*,\s*[^\W\d]\w*)*\s*(?::(?!=)|=(?!=)))/u,
        kind: 'variable',
        hasCapitals: true,
      },
    ],
  },
}
