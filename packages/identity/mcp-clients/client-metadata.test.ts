import { expect, test } from 'vitest'
import { readClient } from './client-metadata.ts'

const own = ['https://gateway.example', 'https://mcp.gateway.example:8443']

const redirectsOf = (address: string): string[] => readClient({ redirect_uris: [address] }, own).redirectUris

test.each([
  'https://gateway.example/dashboard/callback',
  // DNS treats this as the same name, but a comparison of texts does not.
  'https://gateway.example./dashboard/callback',
  'https://GATEWAY.example.:443/',
  'https://mcp.gateway.example.:8443/',
  'https://localhost./callback',
  'http://localhost./callback',
  'http://127.0.0.1.evil.example/',
  'http://localhost.evil.example/',
])('%s is no redirect of an app', (address) => {
  expect(() => redirectsOf(address)).toThrow(/redirect_uris/)
})

test.each([
  'https://app.example/callback',
  'https://app.example./callback',
  'https://gateway.example:8443/callback',
  'http://[::1]:7777/callback',
  'http://127.1:7777/callback',
])('%s is one', (address) => {
  expect(redirectsOf(address)).toEqual([address])
})
