import type { Language } from './language.ts'

export const bash: Language = {
  name: 'bash',
  extensions: ['.sh', '.bash', '.zsh', '.ksh', '.bats', '.ebuild', '.eclass'],
  filenames: [
    '.bashrc',
    '.bash_profile',
    '.profile',
    '.zshrc',
    '.zshenv',
    '.envrc',
    'PKGBUILD',
    'APKBUILD',
  ],
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
  headers:
    /^\s*(?=function\s|[^\s(){}'"$;|&<>=#]+\s*\(\s*\))(?:function\s+)?(?<name>[^\s(){}'"$;|&<>=#]+)/,
  hasHereDocuments: true,
  tokens: ['comment', 'string', 'raw_string', 'heredoc_body', 'ansi_c_string'],
  interpolated: ['string', 'heredoc_body'],
  values: {
    groups: /^(?:if|case|for|while|until|\[|\{|test\b)/,
    rules: [
      {
        at: /^(?:readonly\s+|(?:declare|typeset)\s+-\w*r\w*\s+)(?:-\w+\s+)*/,
        kind: 'constant',
        names: 'one',
      },
      {
        at: /^(?:(?:export|declare|typeset|local)\s+(?:-\w+\s+)*)?(?=[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=)/,
        kind: 'variable',
        names: 'one',
      },
    ],
  },
}
