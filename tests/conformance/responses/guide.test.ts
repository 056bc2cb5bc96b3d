import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { exportedIn, guideBlock } from '../agents/guide-block.ts'
import { said } from '../messages/sdk/feature-vendor.ts'
import { startFeatureNode } from '../messages/sdk/feature-node.ts'
import { suiteWorld } from '../../nodes/suite.ts'

/** Runs the guide's code blocks for SDKs, unchanged. */

const python = inject('pythonProgram')
const run = promisify(execFile)
const cache = join(import.meta.dirname, '../../../.cache')

let folder: string

const world = await suiteWorld(startFeatureNode())
beforeAll(async () => {
  // Within the checkout, so that Node finds the packages.
  mkdirSync(cache, { recursive: true })
  folder = mkdtempSync(join(cache, 'guide-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

async function answered(program: string, begins: string, language: string): Promise<string> {
  const variables = { TURNPIKE_URL: world.node.origin, TURNPIKE_API_KEY: world.key.raw }
  const exported = exportedIn(guideBlock('## SDKs', 'sh', world.node.origin), variables)
  expect(exported).toMatchObject({ OPENAI_BASE_URL: world.node.baseUrl, OPENAI_API_KEY: world.key.raw })
  const file = join(folder, language === 'js' ? 'block.mjs' : 'block.py')
  writeFileSync(file, guideBlock(begins, language, world.node.origin))
  const asked = world.vendor.journal.total
  const { stdout } = await run(program, [file], {
    env: { PATH: process.env['PATH'], ...exported },
    cwd: folder,
  })
  expect(world.vendor.journal.total).toBe(asked + 1)
  return stdout
}

test.each(['openai, Node', "OpenAI's Agents SDK, Node", 'LangChain, Node', 'AI SDK'])('%s', async (name) => {
  expect(await answered(process.execPath, `**${name}**`, 'js')).toContain(said)
})

describe.runIf(python !== null)('Python', () => {
  test.each(['openai', "OpenAI's Agents SDK", 'LangChain'])('%s', async (name) => {
    expect(await answered(python!, `**${name}, Python**`, 'python')).toContain(said)
  })
})
