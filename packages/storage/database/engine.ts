/** What the tables are in: the embedded database, or a server that nodes share. */
export type Engine = 'sqlite' | 'postgres'
