import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../base/test/temporary-folder.ts'
import { launchOf } from '../../src/clients/index.ts'

const packageName = '@pith-mcp/docs-mcp'
const at = (main: string, platform: NodeJS.Platform = 'linux') =>
  launchOf({ main, packageName, platform, node: '/usr/bin/node' })

test('from a clone, a program is started by the path of its file', () => {
  const main = '/home/ada/pith/apps/docs-mcp/dist/main.js'
  expect(at(main)).toEqual({ command: '/usr/bin/node', args: [main] })
})

test('a link of npm is followed to the program', () => {
  const folder = temporaryFolder(onTestFinished)
  writeFileSync(join(folder, 'main.js'), '')
  symlinkSync('main.js', join(folder, 'docs-mcp'))
  expect(at(join(folder, 'docs-mcp')).args).toEqual([join(folder, 'main.js')])
})

test.for([
  '/usr/lib/node_modules/@pith-mcp/docs-mcp/dist/main.js',
  '/home/ada/.npm/_npx/3f/node_modules/@pith-mcp/docs-mcp/dist/main.js',
  'C:\\Users\\ada\\AppData\\Roaming\\npm\\node_modules\\@pith-mcp\\docs-mcp\\dist\\main.js',
])('%s is started by npx', (main) => {
  expect(at(main)).toEqual({ command: 'npx', args: ['-y', packageName] })
  expect(at(main, 'win32')).toEqual({ command: 'cmd', args: ['/c', 'npx', '-y', packageName] })
})
