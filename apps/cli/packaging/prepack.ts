import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { bundleInto } from './bundle.ts'

/* Runs before `npm pack`: the package is made anew from what is here. */

const target = join(import.meta.dirname, '../dist')
rmSync(target, { recursive: true, force: true })
const program = await bundleInto(target)
process.stderr.write(`${program}: ${Math.round(statSync(program).size / 1024)} KB\n`)
