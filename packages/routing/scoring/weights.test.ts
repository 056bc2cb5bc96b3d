import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { shapeFeatureCount } from './features/shape-features.ts'
import { packHalves, unpackHalves } from './half-bytes.ts'
import { headCount } from './heads.ts'
import { lanesPerFloat } from './lanes.ts'
import { subjectDimensions } from './subjects.ts'
import { placeOf, placesPerSet } from './vocabulary.ts'
import { decodeWeights, encodeWeights, weightsVersion } from './weights.ts'

const file = readFileSync(new URL('weights.bin', import.meta.url))

test('the shipped weights have this version, are complete, and are small', () => {
  const { header, fingerprints, grams, shape, positionGrams, positionShape } = decodeWeights(file)
  expect(header.version).toBe(weightsVersion)
  expect(header.trainingRun).toMatch(/^[0-9a-f]{64}$/)
  const content = file.subarray(4 + file.readUInt32LE(0))
  expect(header.content).toBe(createHash('sha256').update(content).digest('hex'))
  expect(file.length).toBeLessThan(150_000)
  expect(fingerprints).toHaveLength(header.sets * placesPerSet)
  expect(grams).toHaveLength(fingerprints.length * headCount)
  expect(shape).toHaveLength((shapeFeatureCount + 1) * headCount)
  expect(positionGrams).toHaveLength((fingerprints.length * subjectDimensions) / lanesPerFloat)
  expect(positionShape).toHaveLength((shapeFeatureCount + 1) * subjectDimensions)
  expect(encodeWeights(header, content)).toEqual(new Uint8Array(file))
})

test('subjects are on a sphere, each with a strong model’s worth', () => {
  const { points, worths } = decodeWeights(file).subjects
  expect(points).toHaveLength(worths.length * subjectDimensions)
  for (const subject of worths.keys()) {
    const point = points.subarray(subject * subjectDimensions, (subject + 1) * subjectDimensions)
    expect(Math.hypot(...point)).toBeCloseTo(1, 1)
    expect(Math.abs(worths[subject]!)).toBeLessThanOrEqual(1)
  }
})

test('two numbers packed into a byte are unpacked unchanged', () => {
  const numbers = Int8Array.from({ length: 30 }, (_, index) => (index % 15) - 7)
  expect(packHalves(numbers)).toHaveLength(15)
  expect(unpackHalves(packHalves(numbers))).toEqual(numbers)
})

test('weights of another version are rejected', () => {
  const { header } = decodeWeights(file)
  const other = encodeWeights({ ...header, version: weightsVersion + 1 }, new Uint8Array())
  expect(() => decodeWeights(other)).toThrow(/train again/)
})

test('an n-gram without a place is not found', () => {
  const fingerprints = new Uint16Array(4 * placesPerSet)
  expect(placeOf(0x12345678, fingerprints)).toBe(-1)
  fingerprints[5] = 0x1234
  // With 4 sets, hashes whose lower half is in the second quarter belong to the second set.
  expect(placeOf(0x12344000, fingerprints)).toBe(5)
  expect(placeOf(0x12348000, fingerprints)).toBe(-1)
  expect(placeOf(0x12354000, fingerprints)).toBe(-1)
})
