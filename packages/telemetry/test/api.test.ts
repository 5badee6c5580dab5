import { expect, test } from 'vitest'
import * as telemetry from '../src/index.ts'

test('the public names stay as they are', () => {
  expect(Object.keys(telemetry).sort()).toEqual(['createTelemetry'])
})
