# syntax=docker/dockerfile:1
# One image for each server: docker build --target docs-mcp -t docs-mcp .

FROM node:24.21.0-trixie-slim AS build
WORKDIR /pith
ENV CI=true TURBO_TELEMETRY_DISABLED=1
COPY package.json ./
# Installs the pinned pnpm, and checks its hash.
RUN corepack enable && corepack install
COPY . .
RUN pnpm install --frozen-lockfile
RUN pnpm exec turbo run build --output-logs=errors-only
RUN for app in apps/*; do \
      pnpm --dir "$app" pack --pack-destination /packed && \
      mkdir -p "/out/${app#apps/}" && \
      tar -xzf /packed/*.tgz -C "/out/${app#apps/}" --strip-components=1 && \
      rm /packed/*.tgz || exit 1; \
    done

# The client of PostgreSQL, for replicas; a server without PITH_DATABASE_URL does not load it.
RUN pnpm --filter @pith-mcp/engines deploy --prod --legacy /engines

FROM node:24.21.0-trixie-slim AS server
ARG VERSION=0.0.0
ARG REVISION=unknown
ENV NODE_ENV=production
LABEL org.opencontainers.image.source="https://github.com/pith-mcp/pith" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY docker/check-health.mjs /pith/check-health.mjs
COPY --from=build /engines/node_modules /pith/node_modules
# What is kept is kept there: mount a volume to keep it longer than the container.
RUN install --directory --owner=node --group=node /data
ENV XDG_CACHE_HOME=/data/cache XDG_STATE_HOME=/data/state XDG_CONFIG_HOME=/config
USER node
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM

FROM server AS code-mcp
LABEL org.opencontainers.image.title="code-mcp" \
      io.modelcontextprotocol.server.name="io.github.pith-mcp/code-mcp"
COPY --from=build /out/code-mcp /pith/code-mcp
ENTRYPOINT ["node", "/pith/code-mcp/dist/main.js"]
CMD ["/code"]

FROM server AS docs-mcp
LABEL org.opencontainers.image.title="docs-mcp" \
      io.modelcontextprotocol.server.name="io.github.pith-mcp/docs-mcp"
COPY --from=build /out/docs-mcp /pith/docs-mcp
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "/pith/check-health.mjs"]
ENTRYPOINT ["node", "/pith/docs-mcp/dist/main.js"]

FROM server AS aggregator-mcp
LABEL org.opencontainers.image.title="aggregator-mcp" \
      io.modelcontextprotocol.server.name="io.github.pith-mcp/aggregator-mcp"
COPY --from=build /out/aggregator-mcp /pith/aggregator-mcp
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "/pith/check-health.mjs"]
ENTRYPOINT ["node", "/pith/aggregator-mcp/dist/main.js"]
