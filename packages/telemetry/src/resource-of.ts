import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources'

/** Who speaks; `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` come before what is given. */
export function resourceOf({ service, version }: { service: string; version: string }): Resource {
  const own = resourceFromAttributes({ 'service.name': service, 'service.version': version })
  return own.merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }))
}
