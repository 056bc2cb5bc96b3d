import { expect, test } from 'vitest'
import { addressOf, missingParts, partsOf } from './addresses.ts'
import { findVendor, vendors } from './registry.ts'

const vertex = findVendor('vertex')!.addresses!
const project = 'my-project'

test.each([
  ['global', 'https://aiplatform.googleapis.com/v1/projects/my-project/locations/global/publishers/google'],
  ['eu', 'https://aiplatform.eu.rep.googleapis.com/v1/projects/my-project/locations/eu/publishers/google'],
  [
    'asia-1',
    'https://asia-1-aiplatform.googleapis.com/v1/projects/my-project/locations/asia-1/publishers/google',
  ],
])('the address of Vertex in %s', (region, address) => {
  expect(addressOf(vertex, { region, project })).toBe(address)
})

test('an address lists the parts that are missing', () => {
  expect(partsOf(vertex)).toEqual(['region', 'project'])
  expect(missingParts(vertex, { region: 'eu' })).toEqual(['project'])
  expect(addressOf(vertex, { region: 'eu' })).toBeUndefined()
  expect(addressOf(vertex, { project })).toBeUndefined()
  expect(addressOf(findVendor('azure')!.addresses!, { resource: 'mine' })).toBe(
    'https://mine.openai.azure.com/openai/v1',
  )
})

test('every address is valid, whatever its operator may write', () => {
  for (const { addresses = [] } of vendors)
    for (const { url } of addresses) {
      const filled = url.replaceAll(/\{(\w+)\}/g, 'a-1')
      expect(new URL(filled)).toMatchObject({ protocol: 'https:', search: '', hash: '' })
      expect(filled).not.toMatch(/\/$/)
    }
})
