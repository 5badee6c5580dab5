import { expect, test } from 'vitest'
import * as files from '../src/files.ts'
import * as setup from '../src/index.ts'

test('the public names stay as they are', () => {
  expect(Object.keys(setup).sort()).toEqual([
    'SetupError',
    'addServer',
    'clientNames',
    'clients',
    'describeAdded',
    'isClientName',
    'launchOf',
    'matchingPlaces',
    'readClientName',
  ])
  expect(Object.keys(files).sort()).toEqual([
    'FileChanged',
    'FileRefused',
    'bytesOf',
    'editJsonc',
    'editToml',
    'isTable',
    'objectAt',
    'readJsonc',
    'readText',
    'readToml',
    'replaceFile',
    'sameData',
    'valueAt',
  ])
})
