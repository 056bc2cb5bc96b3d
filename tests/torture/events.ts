import type { DisturbanceKind } from './disturbances.ts'
import type { Movement } from './movements.ts'
import type { Sighting } from './sighting.ts'

/** What has happened so far. */
export interface Events {
  sightings: Sighting[]
  movements: Movement[]
  disturbances: Map<DisturbanceKind, number>
}
