import { entries, loadCommand, sections } from '../commands/all-commands.ts'
import type { CommandEntry } from '../commands/command-section.ts'
import { agentGuide } from '../commands/mcp/guide.ts'
import { environmentVariables } from '../settings.ts'
import type { Command } from './command.ts'
import { argumentRows, exitCodeRows, globalRows, optionRows, usageLine } from './help-text.ts'

type Row = readonly [string, string]

/** `docs/cli.md`: the `--help` of all commands on one page. */
export async function reference(): Promise<string> {
  const commands = await Promise.all(entries.map(loadCommand))
  const parts = [
    introduction,
    '## Commands',
    ...sections.map(({ title, commands }) => table(title, commands.map(linkCommand))),
    '## For every command',
    table('flag', globalRows.map(formatAsCode)),
    '## Environment',
    table('variable', Object.entries(environmentVariables).map(formatAsCode)),
    '## Exit codes',
    table('code', exitCodeRows),
    ...commands.map((command, index) => chapter(command, commands.slice(0, index))),
  ]
  return `${parts.join('\n\n')}\n`
}

const introduction = `# The command line

<!-- Made of the commands in apps/cli, by \`npx vitest run apps/cli/program -u\`; a test compares the two. -->

\`turnpike\` needs Node 20 or later. In a checkout it is \`./turnpike\`. To install it elsewhere, run
\`npm pack\` in \`apps/cli\` and \`npm install --global <file>\`; the gateway's own package includes it.

- stdout holds only the result; messages go to stderr. In a pipe, tables are tab-separated lines
  without a header.
- \`--json\` prints one JSON value as the API has it, also on failure
  (\`{"error": {"message", "type", "code", "param", "request_id"}}\`, with \`code\` null if no server
  answered). Lists are \`{"object": "list", "data", "has_more", "next_cursor"}\`.
- Credentials are in \`credentials.json\`, per gateway; the last created key is in \`last_key\`. Only you
  can read these files.
- Agents never pay: they pass the URL that \`turnpike topup --json\` prints to their user. They save
  \`raw\` of \`turnpike keys create --json\` at once, since it is shown only once.`

function linkCommand({ name, summary }: CommandEntry): Row {
  return [`[\`${name}\`](#turnpike-${name.replaceAll(' ', '-')})`, summary]
}

function formatAsCode([sign, description]: Row): Row {
  return [`\`${sign}\``, description]
}

function chapter(command: Command, before: readonly Command[]): string {
  const { name, summary, details = [], examples } = command
  const commandLines = examples.map(({ does, line }) => `# ${does}\n${line}`)
  const parts = [
    `## turnpike ${name}`,
    [summary, ...details].join(' '),
    `\`\`\`\n${usageLine(command)}\n\`\`\``,
    table('argument', argumentRows(command).map(formatAsCode)),
    table('flag', optionRows(command).map(formatAsCode)),
    fieldsOf(command, before),
    `\`\`\`sh\n${commandLines.join('\n\n')}\n\`\`\``,
    name === 'mcp' ? agentGuide() : '',
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** The fields by name, or by reference to an earlier command's. */
function fieldsOf({ fields }: Command, before: readonly Command[]): string {
  if (fields.length === 0) return ''
  const known = before.find((one) => fields.length > 5 && differenceOf(one.fields, fields).length <= 2)
  if (known === undefined) return `Fields: ${named(fields)}`
  const more = fields.filter((field) => !known.fields.includes(field))
  const less = known.fields.filter((field) => !fields.includes(field))
  const link = `[\`${known.name}\`](#turnpike-${known.name.replaceAll(' ', '-')})`
  const and = more.length === 0 ? '' : `, and ${named(more)}`
  return `Fields: as for ${link}${less.length === 0 ? '' : `, without ${named(less)}`}${and}`
}

function differenceOf(a: readonly string[], b: readonly string[]): string[] {
  return [...a.filter((one) => !b.includes(one)), ...b.filter((one) => !a.includes(one))]
}

function named(fields: readonly string[]): string {
  return fields.map((field) => `\`${field}\``).join(', ')
}

function table(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(([name, description]) => `| ${name} | ${description.replaceAll('|', '\\|')} |`)
  return [`| ${title} | |`, '|---|---|', ...lines].join('\n')
}
