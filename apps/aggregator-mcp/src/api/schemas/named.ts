import { z } from 'zod'

/** The schema of an object that the OpenAPI description lists by name. */
export const named = <Shape extends z.ZodRawShape>(id: string, shape: Shape) =>
  z.object(shape).meta({ id })
