import { createSeal, type Seal } from '../../servers/src/secrets/seal.ts'
import { createFilePinStore } from '../src/catalog/trust/file-pin-store.ts'
import type { PinStore } from '../src/catalog/trust/pin.ts'

/** A seal whose key is next to a file or folder. */
export const sealBeside = (path: string): Seal =>
  createSeal({ state: path, files: () => [], onLog() {} })

export const pinStoreIn = (folder: string, onLog: (text: string) => void): PinStore =>
  createFilePinStore(folder, sealBeside(folder), onLog)
