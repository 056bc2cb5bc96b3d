import { expect, test } from 'vitest'
import { mcpAddresses } from './addresses.ts'

const wellKnown = '/.well-known/oauth-protected-resource'

test.each([
  [
    'https://gateway.example/mcp',
    'https://gateway.example',
    { path: '/mcp', metadataUrl: `https://gateway.example${wellKnown}/mcp`, paths: ['', '/mcp'] },
  ],
  [
    'https://mcp.example',
    'https://gateway.example',
    { path: '/', metadataUrl: `https://mcp.example${wellKnown}`, paths: [''] },
  ],
  [
    'https://mcp.example/v2/turnpike',
    'https://gateway.example',
    {
      path: '/v2/turnpike',
      metadataUrl: `https://mcp.example${wellKnown}/v2/turnpike`,
      paths: ['', '/v2/turnpike'],
    },
  ],
  [
    'https://gateway.example/llm/mcp',
    'https://gateway.example/llm',
    {
      path: '/mcp',
      metadataUrl: `https://gateway.example${wellKnown}/llm/mcp`,
      paths: ['', '/mcp', '/llm/mcp'],
    },
  ],
])('the addresses of %s at %s', (resource, publicUrl, { path, metadataUrl, paths }) => {
  const metadataPaths = paths.map((suffix) => wellKnown + suffix)
  expect(mcpAddresses(resource, publicUrl)).toEqual({ resource, path, metadataUrl, metadataPaths })
})
