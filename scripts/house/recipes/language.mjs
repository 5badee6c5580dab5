const fixtures = 'packages/code/test/languages/fixtures/solidity'

export const language = {
  title: 'Add a language',
  steps: [
    {
      text: 'Add a table to `packages/code/src/languages/`: the nodes that define something, those between whose children a page may end, those that are one token, and those that only wrap another (`wrappers`). Add a line to `all-languages.ts`.',
      places: [
        {
          path: 'packages/code/src/languages/solidity.ts',
          create: `import type { Language } from './language.ts'

export const solidity: Language = {
  name: 'solidity',
  extensions: ['.sol'],
  definitions: {
    contract_declaration: { kind: 'class' },
    function_definition: { kind: 'function' },
  },
  lists: { source_file: true, contract_body: true, function_body: true, block_statement: true },
  tokens: ['comment', 'string'],
}
`,
        },
        {
          path: 'packages/code/src/languages/all-languages.ts',
          before: "import { swift } from './swift.ts'\n",
          insert: "import { solidity } from './solidity.ts'\n",
        },
        {
          path: 'packages/code/src/languages/all-languages.ts',
          after: '  scala,\n',
          insert: '  solidity,\n',
        },
      ],
    },
    {
      text: 'Name the grammar in `gather.mjs` of `scripts/grammars`. A package that is new goes to the catalog and `ignoredBuiltDependencies` of `pnpm-workspace.yaml` and to the devDependencies of `scripts/grammars`. If the package compiles the grammars of others, add the licence to `licences/` there. Run `pnpm install` and `pnpm build`.',
      places: [
        {
          path: 'scripts/grammars/gather.mjs',
          after: "'@repomix/tree-sitter-wasms': ['dart'",
          insert: ", 'solidity'",
        },
        {
          path: 'scripts/grammars/licences/solidity.txt',
          create: '## tree-sitter-solidity (MIT)\n\nThe text of its licence.\n',
        },
      ],
    },
    {
      text: 'Add its name to the lists in `docs/code.md` and `packages/code/README.md`, and count it in `README.md`.',
      places: [
        { path: 'docs/code.md', after: 'PHP, Kotlin, Scala, ', insert: 'Solidity, ' },
        { path: 'packages/code/README.md', after: 'PHP, Kotlin, Scala, ', insert: 'Solidity, ' },
        {
          path: 'README.md',
          replace: 'in twenty-two languages',
          insert: 'in twenty-three languages',
        },
      ],
    },
    {
      text: 'Add a folder of fixtures to `packages/code/test/languages/fixtures/`. With `-u`, `fixtures.test.ts` writes their outline and cuts, which you read before you commit them.',
      places: [
        {
          path: `${fixtures}/store.sol`,
          create: `pragma solidity ^0.8.0;

contract Store {
    uint256 total;

    function add(uint256 amount) public returns (uint256) {
        total = total + amount;
        if (total > 100) {
            total = 100;
        }
        return total;
    }
}
`,
        },
        { path: `${fixtures}/store.sol.golden`, isGenerated: true },
      ],
    },
  ],
  builds: ['scripts/grammars/gather.mjs'],
  updates: ['packages/code/test/languages/fixtures.test.ts'],
  tests: ['packages/code/test/languages', 'test/languages.test.ts'],
}
