import type { DisturbanceKind } from './fleet/disturbances.ts'
import type { Movement } from './world/movements.ts'
import type { Sighting } from './clients/sighting.ts'

/** Everything that has happened so far. */
export interface Events {
  sightings: Sighting[]
  movements: Movement[]
  disturbances: Map<DisturbanceKind, number>
}
