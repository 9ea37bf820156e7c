# Caddy for a user without rights, which keeps its certificates and keys in the volume /state.
FROM caddy:2
RUN mkdir -m 0700 /state && chown 1000:1000 /state
ENV XDG_DATA_HOME=/state XDG_CONFIG_HOME=/state
USER 1000:1000
COPY --chmod=644 Caddyfile /etc/caddy/Caddyfile
