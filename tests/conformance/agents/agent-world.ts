import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startVendorServer, type VendorServer } from '@turnpike/simulators'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { ConfigurationInput } from '../../../apps/server/configuration/schema/schema.ts'
import { startTestNode, type TestKey, type TestNode } from '../../nodes/test-node.ts'
import { modelOf, styledInput, type StyleName } from '../vendors/scripted/styled-vendor.ts'
import type { AgentPlace } from './agent-program.ts'
import { codingVendor, type Turns } from './coding-vendor.ts'
import { RecordingProxy } from './recording-proxy.ts'

/** A gateway in front of a vendor of one style; each test has its own project and home. */
export class AgentWorld implements AgentPlace {
  readonly model: string
  vendor!: VendorServer
  node!: TestNode
  key!: TestKey
  proxy!: RecordingProxy
  project = ''
  home = ''
  /** The model's answers, turn by turn. */
  turns: Turns = []

  constructor(style: StyleName) {
    this.model = modelOf(style)
  }

  /** @param aliases names that the agent knows, as aliases of the model */
  static of(style: StyleName, aliases: readonly string[] = []): AgentWorld {
    const world = new AgentWorld(style)
    beforeAll(async () => {
      world.vendor = await startVendorServer({ vendor: codingVendor(() => world.turns) })
      world.node = await startTestNode({
        input: withAliases(styledInput(world.vendor), world.model, aliases),
      })
      world.key = await world.node.createKey()
    })
    beforeEach(async () => {
      world.vendor.journal.clear()
      world.proxy = await RecordingProxy.listen(world.node.origin)
      world.project = mkdtempSync(join(tmpdir(), 'turnpike-agent-project-'))
      world.home = mkdtempSync(join(tmpdir(), 'turnpike-agent-home-'))
    })
    afterEach(async () => {
      await world.proxy.close()
      for (const folder of [world.project, world.home]) rmSync(folder, { recursive: true, force: true })
    })
    afterAll(async () => {
      await world.node.stop()
      await world.vendor.close()
    })
    return world
  }

  /** Request bodies that the vendor received, as text. */
  asked(): string[] {
    return this.vendor.journal.entries.map(({ request }) => request.body.toString())
  }

  expectNoRefusals(): void {
    const refused = this.proxy.exchanges.filter(({ status }) => status !== 200)
    expect(refused.map(({ path, status, answer }) => ({ path, status, answer }))).toEqual([])
  }
}

function withAliases(input: ConfigurationInput, model: string, names: readonly string[]): ConfigurationInput {
  const aliases = Object.fromEntries(names.map((name) => [name, { alias_of: model }]))
  return { ...input, models: { ...input.models, ...aliases } }
}
