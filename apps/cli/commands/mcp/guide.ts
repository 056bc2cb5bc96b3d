import { tools, type Tool } from '@turnpike/mcp'

const program = { command: 'turnpike', args: ['mcp'] }
const commandLine = [program.command, ...program.args].join(' ')
const env = { TURNPIKE_API_URL: 'https://gateway.example.com' }
const variables = Object.entries(env)
  .map(([name, value]) => `${name}=${value}`)
  .join(' ')

/** What the reference says of `turnpike mcp` beyond its help: ready to paste. */
export function agentGuide(): string {
  const rows = tools.map(({ name, description, annotations }) => {
    return `| \`${name}\` | ${effectOf(name, annotations)} | ${description} |`
  })
  const parts = [
    '| tool | | |\n|---|---|---|\n' + rows.join('\n'),
    'Log in once with `turnpike login`, and make a key with `turnpike keys create`: `chat` needs the key, ' +
      '`list_models` either, all else the login. A gateway elsewhere than on this machine is named by ' +
      "`TURNPIKE_API_URL`; a key of the agent's own, with a limit of its own, can be given in " +
      '`TURNPIKE_API_KEY`.',
    'Where `turnpike` is not installed, its place is that of the script of a checkout: ' +
      '`/path/to/turnpike/turnpike`. A gateway that others run offers the same tools at its own address, ' +
      '`/mcp`, with nothing to install: [how to connect](mcp.md).',
    '**Claude Code**: in a shell, or for everybody who works on a project as `.mcp.json` in its folder, ' +
      'which looks as that of Claude Desktop does.',
    shell(`claude mcp add turnpike --env ${variables} -- ${commandLine}`),
    '**Claude Desktop**: `claude_desktop_config.json` (Settings, Developer, Edit Config). **Cursor**: ' +
      '`~/.cursor/mcp.json`, or `.cursor/mcp.json` in a project.',
    json({ mcpServers: { turnpike: { ...program, env } } }),
    '**VS Code**: `.vscode/mcp.json` in a project, or “MCP: Open User Configuration”.',
    json({ servers: { turnpike: { type: 'stdio', ...program, env } } }),
  ]
  return parts.join('\n\n')
}

function effectOf(name: string, { readOnlyHint, destructiveHint }: Tool['annotations']): string {
  if (readOnlyHint) return 'reads'
  if (name === 'chat') return 'costs money'
  return destructiveHint ? 'changes something' : 'makes something'
}

function shell(line: string): string {
  return `\`\`\`sh\n${line}\n\`\`\``
}

function json(value: object): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}
