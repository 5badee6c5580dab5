import type { Launch } from '../port/launch.ts'
import type { SandboxReport } from '../port/sandbox.ts'
import { type Bubblewrap, findBubblewrap } from './find-bubblewrap.ts'

/** Sandbox programs of this machine. Rejects with what is missing and what to do. */
export interface SandboxHost {
  findBubblewrap(): Promise<Bubblewrap>
}

export const thisHost: SandboxHost = { findBubblewrap }

/** How to start a confined server, and what is enforced. */
export interface Confined {
  launch: Launch
  report: SandboxReport
}
