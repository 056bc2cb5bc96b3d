import { entries, loaded, sections } from '../commands/all-commands.ts'
import type { CommandEntry } from '../commands/command-section.ts'
import { agentGuide } from '../commands/mcp/guide.ts'
import { environmentVariables } from '../settings.ts'
import type { Command } from './command.ts'
import { argumentRows, exitCodeRows, globalRows, optionRows, usageLine } from './help-text.ts'

type Row = readonly [string, string]

/** `docs/cli.md`: what `--help` says, of all commands on one page. */
export async function reference(): Promise<string> {
  const commands = await Promise.all(entries.map(loaded))
  const parts = [
    introduction,
    '## Commands',
    ...sections.map(({ title, commands }) => table(title, commands.map(linked))),
    '## For every command',
    table('flag', globalRows.map(coded)),
    '## Environment',
    table('variable', Object.entries(environmentVariables).map(coded)),
    '## Exit codes',
    table('code', exitCodeRows),
    ...commands.map(chapter),
  ]
  return `${parts.join('\n\n')}\n`
}

const introduction = `# The command line

<!-- Made of the commands in apps/cli, by \`npx vitest run apps/cli/program -u\`; a test compares the two. -->

\`turnpike\` needs Node 20 or later. In this repository it is \`./turnpike\`;
\`npm pack\` in \`apps/cli\` makes a package of it, to be installed by
\`npm install --global <file>\`; that of the gateway, which \`npm pack\` makes in the root, has it, too.

- stdout holds the result and nothing else; whatever else is said goes to stderr. Into a pipe, a table is
  lines of values separated by tabs, without a head.
- With \`--json\`, stdout is one JSON value as the API has it. Lists are
  \`{"object": "list", "data", "has_more", "next_cursor"}\`, failures
  \`{"error": {"message", "type", "code", "param", "request_id"}}\`, where \`code\` is null if no server
  answered.
- Credentials are in \`credentials.json\`, by gateway; the key that was created last is in \`last_key\`.
  Only you can read them.
- An agent never pays: it hands the address that \`turnpike topup --json\` prints to its human. It saves
  \`raw\` of \`turnpike keys create --json\` at once, since it is shown only once.
- Ctrl-C ends with 1.`

function linked({ name, summary }: CommandEntry): Row {
  return [`[\`${name}\`](#turnpike-${name.replaceAll(' ', '-')})`, summary]
}

function coded([sign, description]: Row): Row {
  return [`\`${sign}\``, description]
}

function chapter(command: Command): string {
  const { name, summary, details = [], fields, examples } = command
  const commandLines = examples.map(({ does, line }) => `# ${does}\n${line}`)
  const parts = [
    `## turnpike ${name}`,
    [summary, ...details].join(' '),
    `\`\`\`\n${usageLine(command)}\n\`\`\``,
    table('argument', argumentRows(command).map(coded)),
    table('flag', optionRows(command).map(coded)),
    fields.length === 0 ? '' : `Fields: ${fields.map((field) => `\`${field}\``).join(', ')}`,
    `\`\`\`sh\n${commandLines.join('\n\n')}\n\`\`\``,
    name === 'mcp' ? agentGuide() : '',
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function table(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(([name, description]) => `| ${name} | ${description.replaceAll('|', '\\|')} |`)
  return [`| ${title} | |`, '|---|---|', ...lines].join('\n')
}
