const program = { command: 'turnpike', args: ['mcp'] }
const commandLine = [program.command, ...program.args].join(' ')
const env = { TURNPIKE_API_URL: 'https://gateway.example.com' }
const variables = Object.entries(env)
  .map(([name, value]) => `${name}=${value}`)
  .join(' ')

/** What the reference adds to the help of `turnpike mcp`: configurations to paste. */
export function agentGuide(): string {
  const parts = [
    'The tools, and what each costs: [mcp.md](mcp.md#tools).',
    'Before you start it, run `turnpike login` and `turnpike keys create`: `chat` needs the key, ' +
      '`list_models` either, all others the login. Name a gateway on another machine with ' +
      '`TURNPIKE_API_URL`. To give the agent its own key, with its own limit, set `TURNPIKE_API_KEY`.',
    'If `turnpike` is not installed, use the script of a checkout, `/path/to/turnpike/turnpike`. A gateway ' +
      'also offers the same tools at its own address, `/mcp`, with nothing to install: ' +
      '[how to connect](mcp.md).',
    '**Claude Code**: in a shell, or for a project as `.mcp.json` in its folder, with the same JSON as for ' +
      'Claude Desktop.',
    shell(`claude mcp add turnpike --env ${variables} -- ${commandLine}`),
    '**Claude Desktop**: `claude_desktop_config.json` (Settings, Developer, Edit Config). **Cursor**: ' +
      '`~/.cursor/mcp.json`, or `.cursor/mcp.json` in a project.',
    json({ mcpServers: { turnpike: { ...program, env } } }),
    '**VS Code**: `.vscode/mcp.json` in a project, or “MCP: Open User Configuration”.',
    json({ servers: { turnpike: { type: 'stdio', ...program, env } } }),
  ]
  return parts.join('\n\n')
}

function shell(line: string): string {
  return `\`\`\`sh\n${line}\n\`\`\``
}

function json(value: object): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}
