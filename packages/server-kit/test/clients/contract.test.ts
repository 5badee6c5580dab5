import { join, sep } from 'node:path'
import { expect, test } from 'vitest'
import {
  allClients,
  type ConfigLocation,
  clientNames,
  type HostEnvironment,
} from '../../src/clients.ts'
import { fixtureNames, fixtures } from './plant.ts'

test('there is a fixture for each client', () => {
  expect([...fixtureNames].sort()).toEqual([...clientNames].sort())
})

const platforms: readonly [NodeJS.Platform, HostEnvironment['variables']][] = [
  ['linux', {}],
  [
    'linux',
    {
      XDG_CONFIG_HOME: '/config',
      CLAUDE_CONFIG_DIR: '/claude',
      CLINE_DIR: '/cline',
      CODEX_HOME: '/codex',
      GEMINI_CLI_HOME: '/gemini',
      OPENCODE_CONFIG: '/opencode.json',
      VSCODE_APPDATA: '/vscode',
    },
  ],
  ['darwin', {}],
  ['win32', {}],
  ['win32', { APPDATA: '/roaming', LOCALAPPDATA: '/local', VSCODE_PORTABLE: '/portable' }],
]

test.for(allClients)('$name: which files it has on each platform', async (client) => {
  const { name, locations, target } = client
  const lines = platforms.flatMap(([platform, variables]) => {
    const host = { home: '/home/ada', cwd: '/home/ada/shop', platform, variables }
    return [
      [platform, ...Object.keys(variables)].join(' '),
      ...locations(host).flatMap((alternatives) => ['  reads', ...alternatives.map(lineOf)]),
      ...(['folder', 'user'] as const).flatMap((scope) => [
        `  writes, ${scope}`,
        ...target(host, scope).map(lineOf),
      ]),
    ]
  })
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(fixtures, name, 'locations.txt'))
})

const lineOf = ({ file, at, product, folder }: ConfigLocation): string =>
  [
    `    ${file.replaceAll(sep, '/')} at ${at.join(' > ')}`,
    ...(folder === undefined ? [] : [`in ${folder}`]),
    ...(product === undefined ? [] : [`(${product})`]),
  ].join(' ')
