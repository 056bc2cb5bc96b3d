import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleInto } from '../packaging/bundle.ts'

/** The program as it is shipped, built from the current sources. */
export class BuiltProgram {
  readonly directory = mkdtempSync(join(tmpdir(), 'turnpike-cli-program-'))
  /** To be run with Node. */
  readonly path = join(this.directory, 'turnpike.cjs')

  async build(): Promise<void> {
    await bundleInto(this.directory)
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }
}
