import { withMembers } from '../../json/members.ts'
import { scanObject } from '../../json/scan.ts'
import type { Envelope } from '../../vendor.ts'

const changes: ReadonlyMap<string, string | undefined> = new Map([
  ['model', undefined],
  ['anthropic_version', '"vertex-2023-10-16"'],
  // Vertex reads betas only from the header.
  ['anthropic_beta', undefined],
])

/** The model is in the path: https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai */
export const rawPredictEnvelope: Envelope = {
  wrap: (body) => ({ body: withMembers(body, scanObject(body).members, changes), leftOut: [] }),
}
