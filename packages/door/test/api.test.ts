import { expect, test } from 'vitest'
import * as door from '../src/index.ts'

test('the public names stay as they are', () => {
  expect(Object.keys(door).sort()).toEqual([
    'DoorError',
    'RefusedError',
    'allScopes',
    'createAdmission',
    'createFileTokens',
    'createResourceServer',
    'defaultBounds',
    'metadataRoute',
    'openDoor',
    'readBody',
    'scopesOf',
  ])
})
