import { expect, test } from 'vitest'
import * as files from '../src/files.ts'
import * as setup from '../src/index.ts'
import * as toml from '../src/toml.ts'

test('the public names stay as they are', () => {
  expect(Object.keys(setup).sort()).toEqual([
    'SetupError',
    'addServer',
    'clientNames',
    'clients',
    'describeAdded',
    'isClientName',
    'launchOf',
    'matchingLocations',
    'readClientName',
  ])
  expect(Object.keys(files).sort()).toEqual([
    'FileChanged',
    'FileRefused',
    'bytesOf',
    'editJsonc',
    'isTable',
    'objectAt',
    'readJsonc',
    'readText',
    'replaceFile',
    'sameData',
    'valueAt',
  ])
  expect(Object.keys(toml).sort()).toEqual(['editToml', 'readToml'])
})
