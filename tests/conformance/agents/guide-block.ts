import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const guide = join(import.meta.dirname, '../../../docs/agents.md')
const exampleOrigin = 'https://llm.example.com'

/**
 * A block that the guide tells people to copy for an agent, with the gateway's address filled in, for tests
 * to run.
 * @param begins start of the paragraph before the block, such as `**Codex**`
 * @param language of the block, such as `toml`
 */
export function guideBlock(begins: string, language: string, origin: string): string {
  const text = readFileSync(guide, 'utf8')
  const section = text.slice(text.indexOf(`\n${begins}`))
  const fence = `\`\`\`${language}\n`
  const start = section.indexOf(fence) + fence.length
  const block = section.slice(start, section.indexOf('```', start))
  if (!text.includes(`\n${begins}`) || start < fence.length)
    throw new Error(`docs/agents.md has no block of ${language} for ${begins}`)
  return block.replaceAll(exampleOrigin, origin)
}

/** The variables that a shell block exports. */
export function exportedIn(block: string, variables: Record<string, string>): Record<string, string> {
  const exported: Record<string, string> = {}
  for (const [, name, value] of block.matchAll(/^export (\w+)="([^"]*)"$/gm))
    exported[name!] = value!.replaceAll(/\$(\w+)/g, (_, used: string) => variables[used] ?? '')
  return exported
}

/** The names that a configuration block defines as aliases. */
export function aliasesIn(block: string): string[] {
  return Array.from(block.matchAll(/^ +([\w.-]+): \{ alias_of: /gm), ([, name]) => name!)
}
